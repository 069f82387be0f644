import { randomBytes } from 'node:crypto';
import type { EngineServices } from '../../run/engineTypes.ts';
import { FilesSize, readFileContent } from '../../variables/fileContent.ts';
import { type FileValue, getFileName, isFileValue } from '../../variables/fileValue.ts';
import { toPythonRepr } from '../../variables/pythonText.ts';
import { createTextResolver, resolveText, splitTemplate } from '../../variables/references.ts';
import { repairJson } from '../../variables/repairJson.ts';
import { toPlainText } from '../../variables/textForms.ts';
import { TextLength } from '../../variables/textLength.ts';
import type { VariablePool } from '../../variables/variables.ts';
import { NodeError } from '../nodeError.ts';
import type { BodyItem, HttpBody } from './httpSchema.ts';

/** Body of a request, and its content type unless the node's headers set another. */
interface BuiltBody {
	readonly bytes: Buffer | undefined;
	readonly contentType: string | undefined;
}

type FileServices = Pick<EngineServices, 'files' | 'settings' | 'http'>;

/** Builds the body of a request from values and files. @throws {NodeError} if a file is missing, or the text can't be converted to JSON */
export async function buildBody(body: HttpBody, variables: VariablePool, services: FileServices, signal: AbortSignal): Promise<BuiltBody> {
	switch (body.type) {
		case 'none':
			return { bytes: undefined, contentType: undefined };
		case 'raw-text':
			return { bytes: Buffer.from(resolveText(getOnlyItem(body).value, variables)), contentType: 'text/plain' };
		case 'json':
			return { bytes: Buffer.from(fillJson(getOnlyItem(body).value, variables)), contentType: 'application/json' };
		case 'x-www-form-urlencoded': {
			const form = new URLSearchParams([...resolveFields(body.data, variables)]);
			return { bytes: Buffer.from(form.toString()), contentType: 'application/x-www-form-urlencoded' };
		}
		case 'binary': {
			const item = getOnlyItem(body);
			const [file] = getFiles(item, variables);
			if (!file) {
				throw new NodeError(`cannot fetch file with selector ${toPythonRepr(item.file ?? [])}`, 'FileFetchError');
			}
			// the hosted service sets no content type for binary bodies
			return { bytes: Buffer.from((await readFileContent(file, services, signal)).bytes), contentType: undefined };
		}
		case 'form-data':
			return buildFormData(body.data, variables, services, signal);
	}
}

function getOnlyItem({ type, data }: HttpBody): BodyItem {
	const [first, ...others] = data;
	if (!first || others.length > 0) {
		throw new NodeError(`${type} body type should have exactly one item`, 'RequestBodyError');
	}
	return first;
}

/** Returns the fields of a form; for duplicate keys, the last one wins. */
function resolveFields(items: readonly BodyItem[], variables: VariablePool): ReadonlyMap<string, string> {
	const resolve = createTextResolver(variables);
	return new Map(items.map(({ key, value }) => [resolve(key), resolve(value)]));
}

/** Inserts values into JSON: escaped within quotes, otherwise as JSON values. Repairs the result if it isn't valid JSON. */
export function fillJson(template: string, variables: VariablePool): string {
	const length = new TextLength();
	let filled = '';
	let quoted = false;
	for (const part of splitTemplate(template)) {
		if ('text' in part) {
			filled += part.text;
			quoted = isEndingInString(part.text, quoted);
			continue;
		}
		const value = variables.get(part.selector);
		if (quoted) {
			filled += length.add(JSON.stringify(value === undefined ? part.selector.join('.') : toPlainText(value)).slice(1, -1));
		} else {
			filled += length.add(JSON.stringify(value === undefined ? part.selector.join('.') : value));
		}
	}
	try {
		return JSON.stringify(JSON.parse(filled));
	} catch {
		try {
			return JSON.stringify(repairJson(filled));
		} catch (cause) {
			throw new NodeError(`Failed to parse JSON: ${filled}`, 'RequestBodyError', { cause });
		}
	}
}

function isEndingInString(text: string, quoted: boolean): boolean {
	let inside = quoted;
	for (let i = 0; i < text.length; i++) {
		if (text[i] === '\\' && inside) {
			i++;
		} else if (text[i] === '"') {
			inside = !inside;
		}
	}
	return inside;
}

async function buildFormData(
	items: readonly BodyItem[],
	variables: VariablePool,
	services: FileServices,
	signal: AbortSignal,
): Promise<BuiltBody> {
	const boundary = `----form${randomBytes(16).toString('hex')}`;
	const chunks: Buffer[] = [];
	const addFormPart = (disposition: string, type: string | undefined, content: Buffer) => {
		const head = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`;
		chunks.push(Buffer.from(head), content, Buffer.from('\r\n'));
	};
	const formatNameParameter = (key: string) => `name="${escapeHeaderText(key)}"`;
	for (const [key, value] of resolveFields(
		items.filter(({ type }) => type !== 'file'),
		variables,
	)) {
		addFormPart(formatNameParameter(key), undefined, Buffer.from(value));
	}
	const size = new FilesSize();
	let hasFile = false;
	const resolve = createTextResolver(variables);
	const files = new Map(items.filter(({ type }) => type === 'file').map(item => [resolve(item.key), item]));
	for (const [key, item] of files) {
		for (const file of getFiles(item, variables)) {
			const content = Buffer.from(size.add((await readFileContent(file, services, signal)).bytes));
			hasFile = true;
			addFormPart(`${formatNameParameter(key)}; filename="${escapeHeaderText(getFileName(file))}"`, getMimeType(file), content);
		}
	}
	if (!hasFile) {
		// the hosted service sends an empty part in this case, and servers may rely on it (graphon, http_request/executor.py)
		addFormPart(formatNameParameter('__multipart_placeholder__'), 'application/octet-stream', Buffer.alloc(0));
	}
	chunks.push(Buffer.from(`--${boundary}--\r\n`));
	return { bytes: Buffer.concat(chunks), contentType: `multipart/form-data; boundary=${boundary}` };
}

/** Escapes names in form data as browsers do. */
function escapeHeaderText(text: string): string {
	return text.replace(/\r\n|\r|\n/g, '%0D%0A').replaceAll('"', '%22');
}

function getMimeType(file: FileValue): string {
	return /^[\w.+-]+\/[\w.+-]+$/.test(file.mime_type) ? file.mime_type : 'application/octet-stream';
}

function getFiles(item: BodyItem, variables: VariablePool): readonly FileValue[] {
	const value = item.file ? variables.get(item.file) : undefined;
	return (Array.isArray(value) ? value : [value]).filter(isFileValue);
}
