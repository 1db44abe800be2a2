"""TyDiP (Srinivasan and Choi, 2022): its leaves from the released data, and the ratings of PT16."""
