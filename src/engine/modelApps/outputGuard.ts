import type { ModelConfig } from '#agentFile/modelConfigSchema.ts';
import type { NodeContext } from '../nodes/nodeType.ts';
import { KeywordCheck } from './keywords.ts';
import { getKeywordRules } from './wordRules.ts';

/** The result of a guarded reply. `result` is absent if the preset answer replaced the text. */
interface Guarded<Result> {
	readonly result: Result | undefined;
	readonly preset: string;
}

/**
 * Runs `write`, which streams a text and passes each chunk to `check` first. If the text contains a forbidden word, the signal aborts and
 * the preset answer replaces the whole text.
 */
export async function guardOutput<Result>(
	context: Pick<NodeContext<unknown>, 'signal' | 'replace' | 'stream'>,
	config: ModelConfig,
	write: (signal: AbortSignal, check: (piece: string) => void) => Promise<Result>,
): Promise<Guarded<Result>> {
	const rules = getKeywordRules(config.sensitive_word_avoidance);
	const rule = rules?.outputs_config;
	const words = rule?.enabled ? new KeywordCheck(rules?.keywords ?? '') : undefined;
	const flagged = new AbortController();
	const preset = rule?.preset_response ?? '';
	try {
		const result = await write(AbortSignal.any([context.signal, flagged.signal]), piece => {
			if (words?.push(piece)) {
				flagged.abort(new Error('The reply contains a forbidden word.'));
				flagged.signal.throwIfAborted();
			}
		});
		return { result, preset };
	} catch (error) {
		if (!flagged.signal.aborted || context.signal.aborted) {
			throw error;
		}
	}
	context.replace(preset);
	context.stream('text', '', true);
	return { result: undefined, preset };
}
