import type { ServiceClient } from '../../client/client.ts';
import { Problem, reasonOf } from '../../common/problems.ts';
import type { AgentParameters } from '../../protocol/agents.ts';
import type { FileObject } from '../../protocol/workflows.ts';
import { megabytes } from '../attachments.ts';
import type { ImagePart } from '../transcript.ts';
import type { Words } from './endpoint.ts';

/** Which images an agent takes with a message. */
export interface ImageRules {
	/** Most images of one message. */
	readonly most: number;
	/** Most bytes of one image. */
	readonly bytes: number;
	/** The variable that they go into; absent where they go along as the message's `files`. */
	readonly variable?: { readonly name: string; readonly list: boolean };
}

/**
 * The rules that an agent's parameters state; undefined where it takes no image. Files of the message come first, then the first variable
 * for files that `inputs` leave free.
 */
export function imageRules(parameters: AgentParameters, inputs: Readonly<Record<string, unknown>>): ImageRules | undefined {
	const { file_upload: upload, user_input_form: form = [], system_parameters: system } = parameters;
	const bytes = (system?.image_file_size_limit ?? Number.POSITIVE_INFINITY) * 1048576;
	if (upload?.enabled && takesImages(upload.allowed_file_types, upload.allowed_file_upload_methods)) {
		return { most: upload.number_limits ?? Number.POSITIVE_INFINITY, bytes };
	}
	if (upload?.image?.enabled && takesImages(undefined, upload.image.transfer_methods)) {
		return { most: upload.image.number_limits ?? Number.POSITIVE_INFINITY, bytes };
	}
	for (const [type, field] of form.flatMap(entry => Object.entries(entry))) {
		if (
			(type === 'file' || type === 'file-list') &&
			inputs[field.variable] === undefined &&
			takesImages(field.allowed_file_types, field.allowed_file_upload_methods)
		) {
			const list = type === 'file-list';
			return { most: list ? (field.max_length ?? Number.POSITIVE_INFINITY) : 1, bytes, variable: { name: field.variable, list } };
		}
	}
	return undefined;
}

/** Why an agent with these rules does not take these images, as a sentence; undefined where it does. */
export function imagesRefused(
	words: Words,
	agent: string,
	rules: ImageRules | undefined,
	images: readonly ImagePart[],
): string | undefined {
	if (!rules) {
		return words.t('"{0}" takes no images. Remove the images, or pick another agent.', agent);
	}
	if (images.length > rules.most) {
		return words.t('"{0}" takes {1} images with a message at most; there are {2}.', agent, rules.most, images.length);
	}
	const large = images.find(({ data }) => bytesOf(data) > rules.bytes);
	return (
		large && words.t('{0} has {1}; "{2}" takes {3} at most.', large.name, megabytes(bytesOf(large.data)), agent, megabytes(rules.bytes))
	);
}

/** Uploads images for one message of `user`. Rejects with a {@link Problem} `attachment` where the service takes no uploads. */
export async function uploadImages(
	words: Words,
	client: ServiceClient,
	images: readonly ImagePart[],
	owner: { readonly user: string; readonly model: string },
	signal: AbortSignal,
): Promise<FileObject[]> {
	const files: FileObject[] = [];
	for (const { name, mimeType, data } of images) {
		const source = { name: fileName(name, mimeType), data: Buffer.from(data, 'base64'), type: mimeType };
		try {
			const { id } = await client.uploadFile(source, owner, { signal });
			files.push({ type: 'image', transfer_method: 'local_file', upload_file_id: id });
		} catch (cause) {
			if (reasonOf(cause) === 'not-found') {
				throw new Problem('attachment', words.t('This service takes no files, so {0} was not sent.', name), undefined, { cause });
			}
			throw cause;
		}
	}
	return files;
}

function takesImages(types: readonly string[] | undefined, methods: readonly string[] | undefined): boolean {
	return (!types?.length || types.includes('image')) && (!methods?.length || methods.includes('local_file'));
}

/** The last part of a name, with an ending: services tell a file's kind by it. */
function fileName(name: string, mimeType: string): string {
	const last = name.split(/[/\\]/).at(-1) || 'image';
	return /\.\w{2,5}$/.test(last) ? last : `${last}.${mimeType.split('/')[1]}`;
}

function bytesOf(base64: string): number {
	return Math.floor((base64.length * 3) / 4);
}
