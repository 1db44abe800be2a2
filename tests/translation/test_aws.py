"""The backend `aws`, with a stub of its client and without a network."""

from typing import Any

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.translation.backends import Aws
from workflow_scripts.translation.translate import translate


@pytest.fixture
def aws_environment(monkeypatch, tmp_path):
    """No credentials, wherever boto3 looks, and no network."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE", "AWS_SESSION_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture
def credentials(aws_environment, monkeypatch):
    """Credentials that look right."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "x")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "y")


def aws(**changes: Any) -> Aws:
    """A backend for Italian."""
    return Aws(("it", "en"), **{"region": "us-east-1", "price_per_million": 15.0, **changes})


def test_aws_counts_every_character():
    assert aws().cost(["é bom", "", "\U0001f600"]) == pytest.approx(6 * 15e-6)


def test_aws_asks_for_each_sentence(credentials):
    from botocore.stub import Stubber

    backend = aws()
    assert backend.largest_batch == 1
    assert backend.client.meta.region_name == "us-east-1"
    with Stubber(backend.client) as stub:
        for text in ("ciao", "sì"):
            stub.add_response(
                "translate_text",
                {"TranslatedText": text.upper(), "SourceLanguageCode": "it", "TargetLanguageCode": "en"},
                {"Text": text, "SourceLanguageCode": "it", "TargetLanguageCode": "en"},
            )
        assert backend.translate(["ciao", "sì"]) == ["CIAO", "SÌ"]
        stub.assert_no_pending_responses()
        stub.add_client_error("translate_text", "UnrecognizedClientException", "bad token", 400)
        with pytest.raises(InputError, match=r"refused .*bad token"):
            backend.translate(["ciao"])
        with pytest.raises(InputError, match="10001 bytes is too long"):
            backend.translate(["x" * 10_001])


def test_aws_repeats_throttled_requests(credentials, monkeypatch):
    from botocore.awsrequest import AWSResponse

    backend = aws()
    answers = [
        (400, b'{"__type": "ThrottlingException", "message": "slower"}'),
        (503, b"{}"),
        (200, b'{"TranslatedText": "hi", "SourceLanguageCode": "it", "TargetLanguageCode": "en"}'),
    ]
    sent = []

    class Raw:
        def __init__(self, body: bytes) -> None:
            self.body = body

        def stream(self, **_: Any) -> list[bytes]:
            return [self.body]

    def send(request: Any, **_: Any) -> AWSResponse:
        status, body = answers[len(sent)]
        sent.append(request)
        return AWSResponse(request.url, status, {}, Raw(body))

    backend.client.meta.events.register("before-send.translate.TranslateText", send)
    monkeypatch.setattr("time.sleep", lambda _: None)
    assert backend.translate(["ciao"]) == ["hi"]
    assert len(sent) == 3


def test_aws_without_credentials(aws_environment, tmp_path):
    write_lines(tmp_path / "in", ["ciao"])
    options: dict[str, Any] = {
        "backend": "aws",
        "source_language": "it",
        "target_language": "en",
        "sources": [tmp_path / "in"],
        "targets": [tmp_path / "out"],
        "cache": tmp_path / "c",
        "batch_size": 9,
        "region": "us-east-1",
        "price_per_million": 15.0,
    }
    with pytest.raises(InputError, match="no AWS credentials"):
        translate(**options, max_cost=1.0)
    with pytest.raises(InputError, match=r"4 characters would cost \$0\.0001, above \$0"):
        translate(**options, max_cost=0.0)
