"""Tables: the leaves of the workflow in the layouts of the papers, each beside the printed one."""
