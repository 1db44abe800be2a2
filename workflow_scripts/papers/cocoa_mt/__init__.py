"""The leaves of CoCoA-MT (Nadejde et al., 2022)."""
