"""From official files (demo world, downloads, licensed folders) to one canonical layout per corpus."""
