"""What a run spends: the process that makes its calls, the ledger of them, the sums."""
