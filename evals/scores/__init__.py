"""What a run found: records per item, metrics, statistics, lost stages, summaries."""
