"""Training of the link predictors that `train links` blends."""
