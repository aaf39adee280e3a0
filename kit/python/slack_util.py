"""Messages to Slack: their parts, sending them, and sending pictures.

The package slack is used where it is installed; without it, a small client of our own speaks to Slack over HTTPS.
"""

from common import render_exception

__all__ = ['generate_ping_list', 'build_field', 'build_attachment', 'build_message', 'new_client', 'post_message',
           'upload_image']


def generate_ping_list(user_ids):
    """Mentions of users, e.g. `<@U1>, <@U2>`."""
    return ', '.join('<@{}>'.format(user_id) for user_id in user_ids)


def build_field(title='', value='', short=False):
    """A field of an attachment."""
    return {'value': value, 'short': short, **_given(title=title)}


def build_attachment(title='', fields=None, pretext='', text='', color='#000000'):
    """An attachment of a message; empty texts are left out."""
    attachment = {'color': color, **_given(title=title)}
    if fields is not None:
        attachment['fields'] = fields
    return {**attachment, **_given(pretext=pretext, text=text)}


def build_message(text='', pretext='', attachments=None):
    """A message for post_message."""
    message = {'text': text, 'pretext': pretext}
    if attachments is not None:
        message['attachments'] = attachments
    return message


def new_client(config):
    """(True, 'success', client) for the token in config['slack_client_token'], or (False, what happened, None)."""
    try:
        return True, 'success', _client_class()(token=config['slack_client_token'])
    except Exception as e:
        return False, 'Exception encountered: ' + render_exception(e), None


def post_message(client, channel, message, **kargs):
    """Sends a message to a channel or a list of them: (True, the answers, 'success') or (False, None, why not)."""
    channels = [channel] if isinstance(channel, str) else channel
    text = message.get('text', '*No Message Content*')
    attachments = message.get('attachments', '')
    try:
        answers = [client.chat_postMessage(channel=name, text=text, attachments=attachments, **kargs)
                   for name in channels]
        return True, answers, 'success'
    except Exception as e:
        return False, None, 'Encountered exception:\n' + render_exception(e)


def upload_image(client, channels, file_path, description, **kargs):
    """Sends a picture to a channel or a list of them: (True, the answer, 'success') or (False, None, why not)."""
    names = channels if isinstance(channels, str) else ','.join(channels)
    try:
        answer = client.files_upload(channels=names, file=file_path, title=description, **kargs)
        return True, answer, 'success'
    except Exception as e:
        return False, None, 'Encountered exception:\n' + render_exception(e)


def _given(**texts):
    return {name: text for name, text in texts.items() if text}


def _client_class():
    try:
        from slack import WebClient
    except ImportError:
        from nightmark_slack import WebClient
    return WebClient
