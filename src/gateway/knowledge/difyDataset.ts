import * as z from 'zod';
import { tryParseJson } from '#base/text/json.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { withoutKey } from '#models/keyMask.ts';
import { connectionFault } from '#models/upstreamFault.ts';
import { errorMessageOf } from '#models/upstreamRefusal.ts';
import type { DifyDatasetConfig } from '../setup/config.ts';

/** Characters of a question that Dify's retrieval takes. */
export const difyQueryLength = 250;
/** Milliseconds that a deployment may take. */
const patienceMs = 30_000;

const replySchema = z.looseObject({
	records: z.array(
		z.looseObject({
			segment: z.looseObject({
				id: z.string(),
				position: z.number().nullish(),
				document_id: z.string().nullish(),
				content: z.string(),
				answer: z.string().nullish(),
				word_count: z.number().nullish(),
				hit_count: z.number().nullish(),
				index_node_hash: z.string().nullish(),
				document: z
					.looseObject({
						id: z.string().nullish(),
						data_source_type: z.string().nullish(),
						name: z.string().nullish(),
						doc_metadata: z.record(z.string(), z.unknown()).nullish(),
					})
					.nullish(),
			}),
			score: z.number().nullish(),
		}),
	),
});

/** A segment as a Dify deployment gives it. */
export type DifyRecord = z.output<typeof replySchema>['records'][number];

/** A dataset that lies on a Dify deployment, and is searched there by its own settings. */
export class DifyDataset {
	readonly #config: DifyDatasetConfig;
	readonly #key: string | undefined;
	readonly #fetch: typeof globalThis.fetch;

	/** `key`: absent where the gateway was not given the one that the configuration names. */
	constructor(config: DifyDatasetConfig, key: string | undefined, fetch: typeof globalThis.fetch) {
		this.#config = config;
		this.#key = key;
		this.#fetch = fetch;
	}

	/** Segments that fit, best first. Rejects with a sentence that names the deployment and what is wrong. */
	async retrieve(text: string, signal: AbortSignal): Promise<readonly DifyRecord[]> {
		const { base_url: base, dataset_id: id, key: name } = this.#config;
		const { origin } = new URL(base);
		if (this.#key === undefined) {
			throw new ServiceFault(
				401,
				`The dataset ${id} at ${origin} needs the key ${name}, which the gateway does not have: give it in the key file or on stdin.`,
			);
		}
		const time = AbortSignal.timeout(patienceMs);
		try {
			const response = await this.#fetch(`${base.replace(/(?<!\/)\/+$/, '')}/datasets/${encodeURIComponent(id)}/retrieve`, {
				method: 'POST',
				headers: { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' },
				body: JSON.stringify({ query: text.slice(0, difyQueryLength) }),
				signal: AbortSignal.any([signal, time]),
			});
			const reply = tryParseJson(await response.text());
			if (!response.ok) {
				const reason = withoutKey(errorMessageOf(reply) ?? 'no reason given', this.#key);
				throw new ServiceFault(response.status, `The dataset ${id} at ${origin} cannot be searched (${response.status}): ${reason}`);
			}
			const checked = replySchema.safeParse(reply);
			if (!checked.success) {
				throw new ServiceFault(502, `The dataset ${id} at ${origin} answered in a form that Dify's retrieval does not have.`);
			}
			return checked.data.records;
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof ServiceFault) {
				throw error;
			}
			throw time.aborted
				? new ServiceFault(504, `The dataset ${id} at ${origin} did not answer within ${patienceMs / 1000} seconds.`)
				: connectionFault(error, origin);
		}
	}
}
