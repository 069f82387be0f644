import { randomBytes } from 'node:crypto';
import { jsonrepair } from 'jsonrepair';
import type { EngineFiles } from './engineTypes.ts';
import { type FileValue, isFileValue } from './fileValue.ts';
import type { BodyItem, HttpBody } from './nodes/httpSchema.ts';
import { NodeError } from './nodes/nodeType.ts';
import { parts, resolveText } from './references.ts';
import { plainText } from './textForms.ts';
import type { VariablePool } from './variables.ts';

/** Body of a request, and the type to send it as unless the node's headers say another. */
export interface BuiltBody {
	readonly bytes: Buffer | undefined;
	readonly contentType: string | undefined;
}

/** Fills a node's body with values and files. @throws {NodeError} if a file is missing, or JSON cannot be made of the text */
export async function buildBody(body: HttpBody, variables: VariablePool, files: EngineFiles, signal: AbortSignal): Promise<BuiltBody> {
	const [first] = body.data;
	switch (body.type) {
		case 'none':
			return { bytes: undefined, contentType: undefined };
		case 'raw-text':
			return { bytes: Buffer.from(resolveText(first?.value ?? '', variables)), contentType: 'text/plain' };
		case 'json':
			return { bytes: Buffer.from(jsonText(first?.value ?? '', variables)), contentType: 'application/json' };
		case 'x-www-form-urlencoded': {
			const form = new URLSearchParams(body.data.map(({ key, value }) => [resolveText(key, variables), resolveText(value, variables)]));
			return { bytes: Buffer.from(form.toString()), contentType: 'application/x-www-form-urlencoded' };
		}
		case 'binary': {
			const [file] = filesOf(first, variables);
			if (!file) {
				throw new NodeError('The body is to be a file, but the variable holds none', 'HttpRequestNodeError');
			}
			return { bytes: await bytesOf(file, files, signal), contentType: file.mime_type || 'application/octet-stream' };
		}
		case 'form-data':
			return formData(body.data, variables, files, signal);
	}
}

/** Puts values into JSON as JSON: within quotes as the inside of a string, else as a value. Text that is no JSON then is repaired. */
export function jsonText(template: string, variables: VariablePool): string {
	let filled = '';
	let quoted = false;
	for (const part of parts(template)) {
		if ('text' in part) {
			filled += part.text;
			quoted = endsInString(part.text, quoted);
			continue;
		}
		const value = variables.get(part.selector);
		if (quoted) {
			filled += JSON.stringify(value === undefined ? part.selector.join('.') : plainText(value)).slice(1, -1);
		} else {
			filled += value === undefined ? JSON.stringify(part.selector.join('.')) : JSON.stringify(value);
		}
	}
	if (filled.trim() === '') {
		return '';
	}
	try {
		return JSON.stringify(JSON.parse(filled));
	} catch {
		try {
			return JSON.stringify(JSON.parse(jsonrepair(filled)));
		} catch (cause) {
			throw new NodeError(`The body is not JSON: ${(cause as Error).message}`, 'HttpRequestNodeError', { cause });
		}
	}
}

function endsInString(text: string, quoted: boolean): boolean {
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

async function formData(items: readonly BodyItem[], variables: VariablePool, files: EngineFiles, signal: AbortSignal): Promise<BuiltBody> {
	const boundary = `----form${randomBytes(16).toString('hex')}`;
	const chunks: Buffer[] = [];
	const add = (disposition: string, type: string | undefined, content: Buffer) => {
		const head = `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`;
		chunks.push(Buffer.from(head), content, Buffer.from('\r\n'));
	};
	for (const item of items) {
		const name = `name="${headerText(resolveText(item.key, variables))}"`;
		if (item.type !== 'file') {
			add(name, undefined, Buffer.from(resolveText(item.value, variables)));
			continue;
		}
		for (const file of filesOf(item, variables)) {
			const content = await bytesOf(file, files, signal);
			add(`${name}; filename="${headerText(file.name)}"`, file.mime_type || 'application/octet-stream', content);
		}
	}
	chunks.push(Buffer.from(`--${boundary}--\r\n`));
	return { bytes: Buffer.concat(chunks), contentType: `multipart/form-data; boundary=${boundary}` };
}

/** As browsers write names into form data. */
function headerText(text: string): string {
	return text.replace(/\r\n|\r|\n/g, '%0D%0A').replaceAll('"', '%22');
}

function filesOf(item: BodyItem | undefined, variables: VariablePool): readonly FileValue[] {
	const value = item?.file ? variables.get(item.file) : undefined;
	return (Array.isArray(value) ? value : [value]).filter(isFileValue);
}

async function bytesOf(file: FileValue, files: EngineFiles, signal: AbortSignal): Promise<Buffer> {
	if (!file.related_id) {
		throw new NodeError(`The file ${file.name} is not uploaded, only named by its address`, 'HttpRequestNodeError');
	}
	return Buffer.from(await files.read(file.related_id, signal));
}
