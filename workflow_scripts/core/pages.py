"""HTML pages made from templates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing

if TYPE_CHECKING:
    import jinja2


def templates(folder: Path) -> jinja2.Environment:
    """The environment for templates of a folder: every text is escaped, and a missing value is an error.

    The filter `tojson` writes data that is safe within a script element; its characters and order are kept.
    """
    import jinja2

    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FileSystemLoader(folder),
    )
    environment.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    return environment


def write_page(page: Path, template: Path, **values: Any) -> None:
    """Write the page of a template with values.

    Raises InputError for a template that does not exist or that jinja cannot parse.
    """
    import jinja2

    try:
        text = templates(template.parent).get_template(template.name).render(**values)
    except jinja2.TemplateNotFound as error:
        raise InputError("no such template", path=template.parent / str(error.name)) from None
    except jinja2.TemplateSyntaxError as error:
        raise InputError(f"no template: {error.message}", path=error.filename, line=error.lineno) from None
    with writing(page) as stream:
        stream.write(text)
