import type Dispatcher from 'undici/types/dispatcher';
import { localizable } from '#base/text/localizableMessage.ts';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import { createDispatcher } from '#network/dispatcher.ts';
import { listProxyPasswords, tryPercentDecode } from '#network/proxies.ts';
import { isSecretName } from '#network/redaction.ts';
import type { RequestReport } from './caller.ts';
import { ServiceError } from './errors/serviceError.ts';
import type { NetworkOptions } from './networkOptions.ts';
import { completeTimeouts, type ServiceKeys, type Target } from './requestBuilder.ts';

/** Options of a client, for all its requests. */
export interface ServiceClientOptions {
	/** Base of the contract's paths: `https://host`, optionally with a path. A trailing `/v1` isn't repeated. */
	readonly baseUrl: string;
	readonly kind: ServiceKind;
	readonly keys: ServiceKeys;
	/** Extra headers of every request. Values of headers with credentials are redacted like keys. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Called after every request, including each retry. */
	readonly onRequest?: (report: RequestReport) => void;
	readonly network?: NetworkOptions;
}

/** Resolves the target of a client's requests. Throws {@link ServiceError} `invalid-request` if the base URL isn't valid. */
export function createTarget({ baseUrl, kind, keys, headers, network }: ServiceClientOptions): Target {
	return { baseUrl: parseBaseUrl(baseUrl), kind, keys, headers: headers ?? {}, timeouts: completeTimeouts(network?.timeouts) };
}

function parseBaseUrl(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || !/^https?:$/.test(url.protocol)) {
		throw new ServiceError('invalid-request', localizable`The base URL must start with http:// or https://.`, { field: 'baseUrl' });
	}
	return url;
}

/** Creates the dispatcher of a client without connecting. Throws {@link ServiceError} `invalid-request` if the proxy isn't valid. */
export function openDispatcher({ baseUrl, timeouts }: Pick<Target, 'baseUrl' | 'timeouts'>, network: NetworkOptions): Dispatcher {
	try {
		return createDispatcher(baseUrl, network, { connectTimeout: timeouts.connect });
	} catch {
		const message = localizable`The proxy in the settings or the environment isn't an http://, https:// or socks5:// URL.`;
		throw new ServiceError('invalid-request', message, { field: 'proxy' });
	}
}

/** Yields all values that must not be shown: keys, credentials in the connection's headers, passwords in its URLs. */
export function* listSecrets(target: Target, network: NetworkOptions): Generator<string> {
	yield* Object.values(target.keys).filter(key => key !== undefined);
	for (const [name, value] of Object.entries(target.headers)) {
		if (isSecretName(name)) {
			yield value;
			yield value.replace(/^\w+\s+/, '');
		}
	}
	const { password } = target.baseUrl;
	yield password;
	yield tryPercentDecode(password);
	yield* listProxyPasswords(network);
}
