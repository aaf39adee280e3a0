"""The names of the old job monitor, for scripts that still import them. New ones: nightmark_job, and `nightmark job`."""

from jobmonitor.api import (  # noqa: F401
    kubernetes_schedule_job,
    kubernetes_schedule_job_queue,
    log_image,
    log_info,
    log_metric,
    log_runtime,
    register_job,
    upload_code_package,
)
