"""A small client for Slack's Web API: messages and files, standard library only."""

import json
import os
import urllib.error
import urllib.parse
import urllib.request

__all__ = ['WebClient', 'SlackResponse', 'SlackApiError']

TIMEOUT_S = 30


class SlackApiError(Exception):
    """Slack refused: the message holds its name for the reason."""


class SlackResponse(dict):
    """An answer of Slack; `data` is the answer itself too."""

    @property
    def data(self):
        return self


class WebClient:
    """Speaks to Slack with a token; $SLACK_API_URL or base_url names another server."""

    def __init__(self, token, base_url=None):
        self._token = token
        base = base_url or os.environ.get('SLACK_API_URL') or 'https://slack.com/api/'
        self._base = base.rstrip('/') + '/'

    def chat_postMessage(self, **message):
        """Posts a message: channel, text, attachments, thread_ts and whatever else Slack knows."""
        return self._call('chat.postMessage', {name: value for name, value in message.items() if value is not None})

    def files_upload(self, channels='', file=None, title='', filename=None, **options):
        """Uploads a file in Slack's three steps: ask for an address, send the content there, share it."""
        body = _content(file)
        name = filename or os.path.basename(getattr(file, 'name', file))
        place = self._call('files.getUploadURLExternal', {'filename': name, 'length': len(body)}, as_form=True)
        _send(urllib.request.Request(place['upload_url'], body, {'Content-Type': 'application/octet-stream'}))
        comment = {key: options[key] for key in ('thread_ts', 'initial_comment') if options.get(key)}
        return self._call('files.completeUploadExternal', {
            'files': [{'id': place['file_id'], 'title': title or name}], 'channels': channels, **comment})

    def _call(self, method, values, as_form=False):
        body = urllib.parse.urlencode(values) if as_form else json.dumps(values)
        kind = 'application/x-www-form-urlencoded' if as_form else 'application/json'
        request = urllib.request.Request(self._base + method, body.encode('utf-8'), {
            'Authorization': 'Bearer {}'.format(self._token), 'Content-Type': kind + '; charset=utf-8'})
        answer = SlackResponse(json.loads(_send(request).decode('utf-8')))
        if not answer.get('ok'):
            raise SlackApiError('Slack refused {}: {}'.format(method, answer.get('error', 'no reason given')))
        return answer


def _content(file):
    if hasattr(file, 'read'):
        return file.read()
    with open(file, 'rb') as content:
        return content.read()


def _send(request):
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:
            return answer.read()
    except urllib.error.HTTPError as error:
        with error:
            raise SlackApiError('{} answered {}'.format(urllib.parse.urlsplit(request.full_url).netloc, error.code))
