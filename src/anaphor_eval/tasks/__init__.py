"""What can be measured, a task a file."""
