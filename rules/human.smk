# human: task sheets for raters, and what comes back (Section 5.4: Tables 3, 7, 10 and 13).
