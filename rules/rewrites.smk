# rewrites: what changes when people make a sentence formal (Section 4: Tables 4 and 5, Figures 1 and 2).
