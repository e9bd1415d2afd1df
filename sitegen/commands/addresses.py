"""`sitegen addresses`."""

from __future__ import annotations

import click

from sitegen.commands.options import BUILT, FindProject, project_options
from sitegen.tools import next_ledger
from sitegen.tools.terminal import print_data, print_line, progress


@click.command()
@project_options
@click.option("--push", is_flag=True, help="Add them to the ledger on the branch sitegen-ledger, as `publish` does.")
@click.option("--remote", default="origin", show_default=True, help="The remote that --push pushes to.")
@click.option("--json", "as_data", is_flag=True, help="Print them as JSON.")
def addresses(find_project: FindProject, push: bool, remote: str, as_data: bool) -> int:
    """Show which new addresses publishing would promise.

    An address is promised for good once it is in the ledger on the default branch or on the branch sitegen-ledger, or
    on the published site. Until then names, ids and slugs may change: a [[slug]] in site.toml chooses a slug.

    \b
    Examples:
      sitegen addresses
      sitegen addresses --push
    """
    with progress(shown=not as_data) as notify:
        ledger = next_ledger.next_ledger(find_project(), notify=notify)
        commit = next_ledger.push(ledger.path, ledger.ledger, remote=remote) if push else ""
    if as_data:
        print_data({**ledger.data(), "commit": commit})
        return BUILT
    for line in ledger.lines():
        print_line(line)
    if push:
        print_line(f"pushed to {remote}, branch sitegen-ledger: {commit[:10] or 'unchanged'}")
    return BUILT
