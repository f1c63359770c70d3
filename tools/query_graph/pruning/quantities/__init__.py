"""Which amounts may be meant: measures, money and sizes."""
