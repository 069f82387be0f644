import type { LanguageModelV4FilePart, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { sendGuardedRequest } from '#network/guardedRequest.ts';
import type { NetworkSettings } from '#network/networkSettings.ts';
import { PrivateAddressError } from '#network/privateNetwork.ts';
import { TooLargeError } from '#network/replyLimits.ts';

/** Maximum size of a fetched file in bytes. */
const maxFileBytes = 20 * 1024 * 1024;
const connectTimeoutMs = 10_000;
const readTimeoutMs = 30_000;

interface Reach {
	readonly network: NetworkSettings;
	readonly allowPrivateNetwork: boolean;
}

/**
 * Fetches files that the model can't fetch itself and inserts them into the prompt. Refuses addresses in a private network unless they are
 * allowed, because the author of the prompt would gain this machine's network access. Throws an error (400) if a file can't be fetched.
 * @param supported address patterns by media type, as declared by the model
 */
export async function inlineFiles(
	prompt: LanguageModelV4Prompt,
	supported: Readonly<Record<string, readonly RegExp[]>>,
	reach: Reach,
	signal: AbortSignal,
): Promise<LanguageModelV4Prompt> {
	return Promise.all(
		prompt.map(async message => {
			const inlinePart = async <P extends { type: string }>(part: P): Promise<P> =>
				isFile(part) && !isSupported(supported, part) ? { ...part, ...(await fetchFile(part, reach, signal)) } : part;
			switch (message.role) {
				case 'user':
					return { ...message, content: await Promise.all(message.content.map(inlinePart)) };
				case 'tool':
					return {
						...message,
						content: await Promise.all(
							message.content.map(async part => {
								if (part.type !== 'tool-result' || part.output.type !== 'content') {
									return part;
								}
								return { ...part, output: { ...part.output, value: await Promise.all(part.output.value.map(inlinePart)) } };
							}),
						),
					};
				default:
					return message;
			}
		}),
	);
}

/** True for files of messages and of tool results, which have the same fields. */
function isFile(part: { type: string }): part is LanguageModelV4FilePart {
	return part.type === 'file';
}

function isSupported(supported: Readonly<Record<string, readonly RegExp[]>>, { data, mediaType }: LanguageModelV4FilePart): boolean {
	if (data.type !== 'url') {
		return true;
	}
	const address = data.url.href.toLowerCase();
	const [kind] = mediaType.split('/');
	return Object.entries(supported).some(
		([type, patterns]) =>
			(type === mediaType || type === '*/*' || type === '*' || type === `${kind}/*`) && patterns.some(pattern => pattern.test(address)),
	);
}

async function fetchFile(part: LanguageModelV4FilePart, reach: Reach, signal: AbortSignal): Promise<LanguageModelV4FilePart> {
	const { data } = part;
	if (data.type !== 'url') {
		return part;
	}
	const { url } = data;
	if (url.protocol === 'data:') {
		const [, mediaType, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(url.href) ?? [];
		if (mediaType === undefined || base64 === undefined) {
			throw new ServiceFault(400, localizable`A data URL needs a media type and base64 data.`);
		}
		return { ...part, mediaType, data: { type: 'data', data: base64 } };
	}
	if (url.protocol !== 'http:' && url.protocol !== 'https:') {
		throw new ServiceFault(400, localizable`Couldn't fetch the file at ${url.protocol}…: expected an http:// or https:// URL.`);
	}
	const { status, headers, body } = await sendGuardedRequest({
		url,
		method: 'GET',
		headers: {},
		secretHeaders: new Set(),
		body: undefined,
		...reach,
		verifyCertificates: true,
		connectTimeoutMs,
		readTimeoutMs,
		getMaxBytes: () => maxFileBytes,
		signal,
	}).catch((error: unknown) => {
		signal.throwIfAborted();
		throw new ServiceFault(400, describeFailure(url.origin, error), { cause: error });
	});
	const mediaType = headers['content-type']?.split(';')[0]?.trim() ?? '';
	if (status < 200 || status >= 300 || !/^(image|audio|video)\/|^application\/pdf$|^text\/plain$/.test(mediaType)) {
		throw new ServiceFault(
			400,
			localizable`Can't use the file at ${url.origin}: the response has status ${status} and media type '${mediaType}'.`,
		);
	}
	return { ...part, mediaType, data: { type: 'data', data: body } };
}

function describeFailure(origin: string, error: unknown): LocalizableMessage {
	if (error instanceof TooLargeError) {
		return localizable`Couldn't fetch the file at ${origin}: it's larger than ${maxFileBytes} bytes.`;
	}
	return error instanceof PrivateAddressError
		? localizable`Couldn't fetch the file at ${origin}: it's on a private network. Turn on agentWorkbench.gateway.allowPrivateNetwork ('allow_private_network' in a gateway's configuration) to allow this.`
		: localizable`Couldn't fetch the file at ${origin}: the connection failed.`;
}
