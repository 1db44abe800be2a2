"""Where corpora come from: the registry, downloads, mirrors, archives, licensed folders."""
