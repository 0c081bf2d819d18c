"""What runs in this process, with nothing but the extra ``[local]``."""
