"""``triplewise train``: one file per thing that can be trained."""
