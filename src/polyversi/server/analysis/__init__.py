"""Analysis on the page: positions, values, reviews, proofs and studies, for all visitors fairly."""
