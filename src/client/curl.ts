import { serviceKinds } from '#contract/serviceKinds.ts';
import { isSecretName } from '#network/redaction.ts';
import type { CheckedCall, UploadSource } from './call.ts';
import { getBodyFields, getKeyGroup, RequestBuilder, type ServiceKeys, type Target } from './requestBuilder.ts';

/** Placeholder for the key while the request is built; a private-use character that no other value contains. */
const keyMark = '\u{F0000}key\u{F0000}';
const keyVariable = 'AGENT_WORKBENCH_KEY';

/** The key with every byte percent-encoded by standard POSIX tools: curl can encode into a query only from 7.87 on. */
const encodedKey = `$(printf %s "$${keyVariable}" | od -An -v -tx1 | tr -d ' \\n' | sed 's/../%&/g')`;

/** Headers that curl adds itself or that don't matter to readers. */
const dull = new Set(['accept-encoding', 'user-agent']);

/**
 * Returns a call's request as a POSIX shell command, one argument per line. The key is `$AGENT_WORKBENCH_KEY`; other headers with
 * credentials become separate variables. A file to upload is named as if it were in the current folder.
 */
export function formatCurlCommand(call: CheckedCall, target: Target): string {
	const group = getKeyGroup(call.endpoint.group);
	const keys: ServiceKeys = target.keys[group] ? { [group]: keyMark } : {};
	const { method, origin, path, headers, body } = new RequestBuilder({ ...target, keys }).buildRequest(call);
	const { url, credential } = splitKey(`${origin}${path}`);
	const address =
		credential === undefined
			? quoteForShell(url)
			: `${quoteForShell(`${url}${url.includes('?') ? '&' : '?'}${credential}=`)}"${encodedKey}"`;
	const args = [`curl${call.stream ? ' --no-buffer' : ''}${method === 'GET' ? '' : ` --request ${method}`} ${address}`];
	for (let i = 0; i < headers.length; i += 2) {
		const [name, value] = [headers[i]!, headers[i + 1]!];
		if (!dull.has(name) && !(name === 'content-type' && call.file)) {
			args.push(`--header ${quoteHeader(name, value)}`);
		}
	}
	if (call.file !== undefined) {
		args.push(...formatFormFields(getBodyFields(call.body ?? {}, serviceKinds[target.kind])), formatFormFile(call.file));
	} else if (typeof body === 'string') {
		args.push(`--data-raw ${quoteForShell(body)}`);
	}
	return args.join(' \\\n\t');
}

/** Splits the key off a query: the shell adds it, percent-encoded. */
function splitKey(address: string): { url: string; credential: string | undefined } {
	const url = new URL(address);
	const credential = [...url.searchParams].find(([, value]) => value === keyMark)?.[0];
	if (credential !== undefined) {
		url.searchParams.delete(credential);
	}
	return { url: url.href, credential };
}

function quoteHeader(name: string, value: string): string {
	if (value.includes(keyMark) || !isSecretName(name)) {
		return quoteForShell(`${name}: ${value}`);
	}
	return `${quoteForShell(`${name}: `)}"$AGENT_WORKBENCH_HEADER_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}"`;
}

function formatFormFields(fields: Readonly<Record<string, unknown>>): string[] {
	return Object.entries(fields).map(([name, value]) => `--form-string ${quoteForShell(`${name}=${value}`)}`);
}

function formatFormFile({ name, type }: UploadSource): string {
	const file = name.replace(/[\\"]/g, '\\$&');
	return `--form ${quoteForShell(`file=@"${file}"${type === undefined ? '' : `;type=${type}`}`)}`;
}

/** Single-quotes a string, with the key's variable spliced in between quoted parts. */
function quoteForShell(text: string): string {
	const pieces = text.split(keyMark).map(piece => (piece === '' ? '' : `'${piece.replaceAll("'", `'\\''`)}'`));
	return pieces.join(`"$${keyVariable}"`);
}
