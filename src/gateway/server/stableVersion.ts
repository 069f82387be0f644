import type { IncomingMessage } from 'node:http';

/**
 * The path under which E is served here: Google's API has the same operations under `/v1` as under the contract's `/v1beta`, and its SDK
 * asks for `/v1` from 3.0 on. There they share `/v1/models` with Anthropic's model list, from which the credential tells them apart.
 */
export function betaPath(path: string, search: string, request: IncomingMessage): string {
	if (!path.startsWith('/v1/models')) {
		return path;
	}
	const isGoogle = request.method === 'POST' || request.headers['x-goog-api-key'] !== undefined || /(?:^|&)key=/.test(search);
	return isGoogle ? path.replace('/v1/', '/v1beta/') : path;
}
