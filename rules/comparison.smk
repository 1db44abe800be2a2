# comparison: outputs side by side (Table 8, Figures 3 and 4).
