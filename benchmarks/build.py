"""How long a first build takes, and what it weighs: seconds and rows per product, peak memory, size on disk."""

import corpora
import figures
import homes


def main() -> None:
    parser = homes.arguments(__doc__ or "")
    parser.add_argument("data", choices=corpora.NAMES)
    given = parser.parse_args()
    built = homes.refresh(homes.fresh_home(given.data, given.work))
    figures.show(
        "build",
        data=given.data,
        n=built.reports[0].rows,
        figures={
            "seconds": round(built.seconds, 1),
            "peak_memory_mib": figures.peak_memory_mib(),
            "disk_mib": figures.disk_mib(built.home),
            "rows": {report.product: report.rows for report in built.reports},
            "seconds_by_product": {report.product: round(report.seconds, 1) for report in built.reports},
        },
    )


if __name__ == "__main__":
    main()
