import * as z from 'zod';
import { tryParseJson } from '#base/text/json.ts';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { maskKey } from '#models/keyMask.ts';
import { createConnectionFault } from '#models/upstreamFault.ts';
import { readErrorMessage } from '#models/upstreamRefusal.ts';
import type { DifyDatasetConfig } from '../setup/config.ts';

/** Maximum characters of a query in Dify's retrieval. */
export const difyQueryLength = 250;
/** Timeout for a deployment's response in milliseconds. */
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

/** A segment returned by a Dify deployment. */
export type DifyRecord = z.output<typeof replySchema>['records'][number];

/** A dataset on a Dify deployment, searched there with its own settings. */
export class DifyDataset {
	readonly #config: DifyDatasetConfig;
	readonly #key: string | undefined;
	readonly #fetch: typeof globalThis.fetch;

	/** @param key undefined if the gateway doesn't have the key named in the configuration */
	constructor(config: DifyDatasetConfig, key: string | undefined, fetch: typeof globalThis.fetch) {
		this.#config = config;
		this.#key = key;
		this.#fetch = fetch;
	}

	/** Returns matching segments, best first. Rejects with a message that names the deployment and the problem. */
	async retrieveSegments(text: string, signal: AbortSignal): Promise<readonly DifyRecord[]> {
		const { base_url: base, dataset_id: id, key: name } = this.#config;
		const { origin } = new URL(base);
		if (this.#key === undefined) {
			throw new ServiceFault(
				401,
				localizable`The dataset '${id}' at ${origin} needs the key '${name}', which the gateway doesn't have. Set it with 'Set Upstream Key…' or in the key file.`,
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
				const reason = maskKey(readErrorMessage(reply) ?? 'unknown error', this.#key);
				throw new ServiceFault(
					response.status,
					localizable`Couldn't search the dataset '${id}' at ${origin} (${response.status}): ${reason}`,
				);
			}
			const checked = replySchema.safeParse(reply);
			if (!checked.success) {
				throw new ServiceFault(502, localizable`Couldn't search the dataset '${id}': ${origin} returned an unexpected response.`);
			}
			return checked.data.records;
		} catch (error) {
			signal.throwIfAborted();
			if (error instanceof ServiceFault) {
				throw error;
			}
			throw time.aborted
				? new ServiceFault(
						504,
						localizable`Couldn't search the dataset '${id}': ${origin} didn't respond within ${patienceMs / 1000} seconds.`,
					)
				: createConnectionFault(error, origin);
		}
	}
}
