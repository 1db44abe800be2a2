"""Curated sentences, filtered bitext, formality pools and samples."""
