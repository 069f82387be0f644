import type * as z from 'zod';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { createSchemaProblem, parseWithSchema } from '#contract/problems.ts';
import { batchEmbedContentsRequestSchema, embedContentRequestSchema } from '#contract/text/contentEmbeddings.ts';
import { listUnreadFields } from '../modelCall.ts';
import { toCamelCaseFields, toList } from './protoJson.ts';

/** The texts that a Gemini request asks to embed. */
interface EmbedRequest {
	readonly texts: readonly string[];
	readonly dimensions: number | undefined;
	/** Descriptions of ignored fields. */
	readonly lost: readonly string[];
}

/** Reads the body of `:embedContent`. Throws an error (400) that names the field. */
export function readEmbedContent(body: unknown, model: string): EmbedRequest {
	const request = parseBody(embedContentRequestSchema, body, 'EmbedContentRequest');
	return joinRequests([[request, '']], model);
}

/** Reads the body of `:batchEmbedContents`. Throws an error (400) that names the field. */
export function readBatchEmbedContents(body: unknown, model: string): EmbedRequest {
	const { requests } = parseBody(batchEmbedContentsRequestSchema, body, 'BatchEmbedContentsRequest');
	return joinRequests(
		requests.map((request, i) => [request, `requests[${i}].`]),
		model,
	);
}

function joinRequests(requests: readonly (readonly [request: unknown, at: string])[], model: string): EmbedRequest {
	const lost: string[] = [];
	const lengths = new Set<unknown>();
	const texts = requests.map(([request, at]) => {
		const fields = toCamelCaseFields(request);
		const named = fields['model'];
		if (typeof named === 'string' && named.replace(/^models\//, '') !== model) {
			throw new ServiceFault(400, `* ${at}model: expected models/${model}, as in the path, or no model`);
		}
		lengths.add(fields['outputDimensionality']);
		lost.push(...listUnreadFields(fields, readFields, at));
		return readText(fields['content'], `${at}content`);
	});
	if (lengths.size > 1) {
		throw new ServiceFault(400, '* requests: expected the same output_dimensionality in all requests');
	}
	return { texts, dimensions: [...lengths][0] as number | undefined, lost };
}

const readFields = new Set(['model', 'content', 'outputDimensionality']);

/** Returns the text of a content. Throws an error (400) for files and empty text, which other models can't embed. */
function readText(content: unknown, at: string): string {
	const texts = toList(toCamelCaseFields(content)['parts']).map((part, i) => {
		const { text } = toCamelCaseFields(part);
		if (typeof text !== 'string') {
			throw new ServiceFault(400, `* ${at}.parts[${i}]: expected text, because this model's route only embeds text`);
		}
		return text;
	});
	const joined = texts.join('\n');
	if (joined === '') {
		throw new ServiceFault(400, `* ${at}: content is empty, expected a part with text`);
	}
	return joined;
}

function parseBody<S extends z.ZodType>(schema: S, body: unknown, name: string): z.output<S> {
	const result = parseWithSchema(schema, body);
	if (result.success) {
		return result.data;
	}
	const { field, message } = createSchemaProblem(result.error, body);
	throw new ServiceFault(400, `* ${name}.${field}: ${message}`);
}
