import * as z from 'zod';
import type { Document } from '#base/threads/tasks.ts';
import { isKnownMimeType } from '../documents/documentKinds.ts';
import { readFileContent } from '../variables/fileContent.ts';
import { type FileValue, getFileName, isFileValue } from '../variables/fileValue.ts';
import { toPythonRepr } from '../variables/pythonText.ts';
import { checkWeight, maxNodeWeight } from '../variables/weight.ts';
import { MissingVariableError, NodeError } from './nodeError.ts';
import { defineNodeType, type NodeContext } from './nodeType.ts';
import { selectorSchema } from './schemas.ts';

const schema = z.looseObject({ variable_selector: selectorSchema });

/** Document extractor node: extracts the text of a file, or of each file of a list. */
export const documentExtractor = defineNodeType({
	type: 'document-extractor',
	schema,
	async run(context) {
		const { settings, variables, record } = context;
		const value = variables.get(settings.variable_selector);
		if (value === undefined) {
			const selector = settings.variable_selector;
			throw new MissingVariableError(selector, `File variable not found for selector: ${toPythonRepr(selector)}`, 'DocumentExtractorError');
		}
		const files = Array.isArray(value) ? value : [value];
		if (!files.every(isFileValue)) {
			throw new NodeError(
				`Variable ${toPythonRepr(settings.variable_selector)} is not a file or a list of files`,
				'DocumentExtractorError',
			);
		}
		record.inputs = { variable_selector: settings.variable_selector };
		record.processData = { documents: files };
		const texts: string[] = [];
		let length = 0;
		for (const file of files) {
			const text = await context.services.documents.readText(await loadDocument(file, context), context.signal);
			texts.push(text);
			length += text.length;
			// the limit of the outputs is checked before all texts are read, because a list can contain one file many times
			if (length > maxNodeWeight) {
				checkWeight(texts);
			}
		}
		return { outputs: { text: Array.isArray(value) ? texts : (texts[0] ?? '') } };
	},
});

async function loadDocument(file: FileValue, { services, signal }: Pick<NodeContext<unknown>, 'services' | 'signal'>): Promise<Document> {
	const { bytes, contentType = '' } = await readFileContent(file, services, signal);
	// use the content type sent by the server only if it is specific: "octet-stream" isn't, and CSV is often sent as plain text
	const says = isKnownMimeType(contentType) && !contentType.startsWith('text/plain');
	return { name: getFileName(file), mimeType: says ? contentType : file.mime_type + contentType.replace(/^[^;]*/, ''), bytes };
}
