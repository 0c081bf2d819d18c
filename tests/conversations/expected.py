FAILURES: dict[str, str] = {}
