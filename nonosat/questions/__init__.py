"""Queries besides solve and check: number of solutions, backbone, alternatives, estimates."""
