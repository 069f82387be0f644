import type * as z from 'zod';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { problemOf, wordsOf } from '#contract/problems.ts';
import { batchEmbedContentsRequestSchema, embedContentRequestSchema } from '#contract/text/contentEmbeddings.ts';
import { unreadFields } from '../modelCall.ts';
import { camelFields, listOf } from './protoJson.ts';

/** What a request of Gemini's protocol wants embedded. */
interface EmbedRequest {
	readonly texts: readonly string[];
	readonly dimensions: number | undefined;
	/** Sentences on what is not carried over. */
	readonly lost: readonly string[];
}

/** Reads a body of `:embedContent`. Throws a fault (400) that names the field. */
export function readEmbedContent(body: unknown, model: string): EmbedRequest {
	const request = check(embedContentRequestSchema, body, 'EmbedContentRequest');
	return joinRequests([[request, '']], model);
}

/** Reads a body of `:batchEmbedContents`. Throws a fault (400) that names the field. */
export function readBatchEmbedContents(body: unknown, model: string): EmbedRequest {
	const { requests } = check(batchEmbedContentsRequestSchema, body, 'BatchEmbedContentsRequest');
	return joinRequests(
		requests.map((request, i) => [request, `requests[${i}].`]),
		model,
	);
}

function joinRequests(requests: readonly (readonly [request: unknown, at: string])[], model: string): EmbedRequest {
	const lost: string[] = [];
	const lengths = new Set<unknown>();
	const texts = requests.map(([request, at]) => {
		const fields = camelFields(request);
		const named = fields['model'];
		if (typeof named === 'string' && named.replace(/^models\//, '') !== model) {
			throw new ServiceFault(400, `* ${at}model: expected models/${model}, the model of the path, or none`);
		}
		lengths.add(fields['outputDimensionality']);
		lost.push(...unreadFields(fields, readFields, at));
		return textOf(fields['content'], `${at}content`);
	});
	if (lengths.size > 1) {
		throw new ServiceFault(400, '* requests: expected the same output_dimensionality in all requests');
	}
	return { texts, dimensions: [...lengths][0] as number | undefined, lost };
}

const readFields = new Set(['model', 'content', 'outputDimensionality']);

/** The text of a content. Throws a fault (400) for files and empty texts, of which no other model makes a vector. */
function textOf(content: unknown, at: string): string {
	const texts = listOf(camelFields(content)['parts']).map((part, i) => {
		const { text } = camelFields(part);
		if (typeof text !== 'string') {
			throw new ServiceFault(400, `* ${at}.parts[${i}]: expected a text, this model's route embeds texts only`);
		}
		return text;
	});
	const joined = texts.join('\n');
	if (joined === '') {
		throw new ServiceFault(400, `* ${at}: content is empty, expected a part with text`);
	}
	return joined;
}

function check<S extends z.ZodType>(schema: S, body: unknown, name: string): z.output<S> {
	const result = schema.safeParse(body, { error: wordsOf });
	if (result.success) {
		return result.data;
	}
	const { field, message } = problemOf(result.error, body);
	throw new ServiceFault(400, `* ${name}.${field}: ${message}`);
}
