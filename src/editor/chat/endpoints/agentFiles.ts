import { getErrorReason, Problem } from '#base/problems.ts';
import { joinSentences } from '#base/text/joinSentences.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ServiceClient } from '#client/client.ts';
import type { AgentParameters } from '#contract/agents.ts';
import type { FileObject } from '#contract/workflows.ts';
import type { AttachedPart } from '#pages/chat/transcript/transcript.ts';
import { formatMegabytes } from '../attachments/attachments.ts';
import { getTextRefusal } from './endpoint.ts';

/** An agent's rules for a kind of file. */
interface FileRules {
	/** Maximum number of files per message. */
	readonly most: number;
	/** Maximum size per file, in bytes. */
	readonly bytes: number;
	/** File type sent to the service. */
	readonly type: 'image' | 'document' | 'custom';
	/** Variable for the files, or undefined to send them as the message's `files`. */
	readonly variable?: { readonly name: string; readonly list: boolean };
}

interface Allowed {
	readonly allowed_file_types?: readonly string[];
	readonly allowed_file_extensions?: readonly string[];
	readonly allowed_file_upload_methods?: readonly string[];
}

/**
 * Returns an agent's rules for a file, or undefined if it doesn't accept the file. Prefers the message's `files`, then the first file
 * variable without a value in `inputs`.
 */
function getFileRules(parameters: AgentParameters, inputs: Readonly<Record<string, unknown>>, part: AttachedPart): FileRules | undefined {
	const { file_upload: upload, user_input_form: form = [], system_parameters: system } = parameters;
	const limit = part.kind === 'image' ? system?.image_file_size_limit : system?.file_size_limit;
	const bytes = (limit ?? Number.POSITIVE_INFINITY) * 1048576;
	const sent = upload?.enabled ? getAcceptedType(upload, part) : undefined;
	if (sent) {
		return { most: upload?.number_limits ?? Number.POSITIVE_INFINITY, bytes, type: sent };
	}
	const old = upload?.image;
	if (part.kind === 'image' && old?.enabled && acceptsUploads(old.transfer_methods)) {
		return { most: old.number_limits ?? Number.POSITIVE_INFINITY, bytes, type: 'image' };
	}
	for (const [kind, field] of form.flatMap(entry => Object.entries(entry))) {
		const type =
			(kind === 'file' || kind === 'file-list') && inputs[field.variable] === undefined ? getAcceptedType(field, part) : undefined;
		if (type) {
			const list = kind === 'file-list';
			return { most: list ? (field.max_length ?? Number.POSITIVE_INFINITY) : 1, bytes, type, variable: { name: field.variable, list } };
		}
	}
	return undefined;
}

/** Which attachments to upload to an agent, and which to send in other ways. */
export interface FilePlan {
	readonly uploads: readonly { readonly part: AttachedPart; readonly rules: FileRules }[];
	/** Attachments that the agent doesn't accept as uploaded files. */
	readonly others: readonly AttachedPart[];
}

/** Plans how to send files to an agent. Parameters are `unknown` if the service only implements the contract and has none. */
export function planFiles(
	parameters: AgentParameters | 'unknown',
	inputs: Readonly<Record<string, unknown>>,
	attached: readonly AttachedPart[],
): FilePlan {
	const planned = attached.map(part => {
		const unlimited = { most: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY, type: part.kind };
		return { part, rules: parameters === 'unknown' ? unlimited : getFileRules(parameters, inputs, part) };
	});
	return {
		uploads: planned.flatMap(({ part, rules }) => (rules ? [{ part, rules }] : [])),
		others: planned.flatMap(({ part, rules }) => (rules ? [] : [part])),
	};
}

/** Returns why the files of a plan can't be sent, or undefined if they can. Documents that the agent doesn't accept are sent as text. */
export function getFilesRefusal(words: Localization, agent: string, { uploads, others }: FilePlan): string | undefined {
	if (others.some(part => part.kind === 'image')) {
		return words.t("'{0}' doesn't accept images. Remove them or select another agent.", agent);
	}
	const unread = getTextRefusal(words, others);
	if (unread) {
		return joinSentences(words.t("'{0}' doesn't accept this kind of document.", agent), unread);
	}
	for (const { part, rules } of uploads) {
		const { most, bytes, variable } = rules;
		const beside = uploads.filter(other => other.rules.variable?.name === variable?.name);
		if (beside.length > most) {
			const areImages = beside.every(other => other.part.kind === 'image');
			if (most === 1) {
				return areImages
					? words.t("'{0}' accepts 1 image per message, but this message has {1}.", agent, beside.length)
					: words.t("'{0}' accepts 1 file per message, but this message has {1}.", agent, beside.length);
			}
			return areImages
				? words.t("'{0}' accepts up to {1} images per message, but this message has {2}.", agent, most, beside.length)
				: words.t("'{0}' accepts up to {1} files per message, but this message has {2}.", agent, most, beside.length);
		}
		const size = getDecodedLength(part.data);
		if (size > bytes) {
			return words.t(
				"'{0}' is too large ({1}). The limit for '{2}' is {3}.",
				part.name,
				formatMegabytes(size),
				agent,
				formatMegabytes(bytes),
			);
		}
	}
	return undefined;
}

/**
 * Uploads files for a message of `user`. Returns the message's `files` and the values of file variables. Rejects with a {@link Problem}
 * `attachment` if the service doesn't support uploads.
 */
export async function uploadFiles(
	words: Localization,
	client: ServiceClient,
	{ uploads }: FilePlan,
	owner: { readonly user: string; readonly model: string },
	signal: AbortSignal,
): Promise<{ readonly files: readonly FileObject[]; readonly inputs: Readonly<Record<string, FileObject | FileObject[]>> }> {
	const files: FileObject[] = [];
	const inputs: Record<string, FileObject | FileObject[]> = {};
	for (const { part, rules } of uploads) {
		const { name, mimeType, data } = part;
		const source = { name: getUploadName(part), data: Buffer.from(data, 'base64'), type: mimeType };
		try {
			const { id } = await client.uploadFile(source, owner, { signal });
			const file: FileObject = { type: rules.type, transfer_method: 'local_file', upload_file_id: id };
			if (!rules.variable) {
				files.push(file);
			} else if (rules.variable.list) {
				const list = inputs[rules.variable.name];
				inputs[rules.variable.name] = [...(Array.isArray(list) ? list : []), file];
			} else {
				inputs[rules.variable.name] = file;
			}
		} catch (cause) {
			if (getErrorReason(cause) === 'not-found') {
				throw new Problem('attachment', words.t("Couldn't send '{0}': this service doesn't accept files.", name), undefined, { cause });
			}
			throw cause;
		}
	}
	return { files, inputs };
}

/** Returns the type to upload a file as: its kind, or `custom` if the settings accept its extension. Undefined if they don't accept it. */
function getAcceptedType(allowed: Allowed, { kind, name }: AttachedPart): FileRules['type'] | undefined {
	const { allowed_file_types: types, allowed_file_extensions: extensions, allowed_file_upload_methods: methods } = allowed;
	if (!acceptsUploads(methods)) {
		return undefined;
	}
	if (!types?.length || types.includes(kind)) {
		return kind;
	}
	const isNamed = extensions?.some(extension => name.toLowerCase().endsWith(`.${extension.toLowerCase().replace(/^\./, '')}`));
	return types.includes('custom') && isNamed ? 'custom' : undefined;
}

function acceptsUploads(methods: readonly string[] | undefined): boolean {
	return !methods?.length || methods.includes('local_file');
}

/** Returns the base name of a file. Adds an extension if it has none, because services use it to detect the type. */
function getUploadName({ kind, name, mimeType }: AttachedPart): string {
	const last = name.split(/[/\\]/).at(-1) || kind;
	return /\.\w{2,5}$/.test(last) ? last : `${last}.${mimeType.split('/')[1]}`;
}

function getDecodedLength(base64: string): number {
	return Math.floor((base64.length * 3) / 4);
}
