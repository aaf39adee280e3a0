import { type JsonObject, type JsonValue, texts } from '../../../platform/core/text/json.ts';

/** Where a subsystem posts: by a token to channels, by the webhook of the older fields, or nowhere. */
export type SlackConfig =
  | { readonly type: 'token'; readonly token: string; readonly channels: readonly string[] }
  | { readonly type: 'webhook'; readonly url: string }
  | { readonly type: 'missing'; readonly message: string };

/** The fields of both eras. `slack_client_token_env` and `webhook_url_env` name variables that hold the secret instead. */
export function readSlackConfig(config: JsonObject, env: Readonly<Record<string, string>>): SlackConfig {
  const secret = (name: string) => text(config[name]) ?? env[text(config[`${name}_env`]) ?? ''] ?? '';
  const [token, url, channels] = [
    secret('slack_client_token'),
    secret('webhook_url'),
    texts(config['channel_id']),
  ];
  if (token !== '' && channels.length > 0) return { type: 'token', token, channels };
  if (url !== '') return { type: 'webhook', url };
  if (channels.length === 0) return { type: 'missing', message: 'No channel token given' };
  const variable = text(config['slack_client_token_env']);
  const why = variable === undefined ? '' : `: ${variable} is not set in the environment`;
  return { type: 'missing', message: `No client token given${why}` };
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
