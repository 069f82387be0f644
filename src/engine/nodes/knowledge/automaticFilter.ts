import { filterOperators, type MetadataFilter } from '../../knowledge/metadataFilter.ts';
import { isObjectValue } from '../../variables/objectValue.ts';
import { readCompletionParameters } from '../model/completionParameters.ts';
import { askModel } from '../model/modelText.ts';
import { findJsonInReply } from '../model/replyJson.ts';
import type { NodeContext } from '../nodeType.ts';
import type { RetrievalSettings } from './retrievalSchemas.ts';

/**
 * Asks the model of `metadata_model_config` for a metadata filter that matches a question. If there is no model or its reply can't be used,
 * adds a message to `notes` and returns undefined. Then all documents are searched, as in Dify.
 */
export async function createAutomaticFilter(
	{ settings, services, signal }: Pick<NodeContext<RetrievalSettings>, 'settings' | 'services' | 'signal'>,
	query: string,
	names: readonly string[],
	notes: string[],
): Promise<MetadataFilter | undefined> {
	const model = settings.metadata_model_config;
	if (!model?.name || names.length === 0) {
		notes.push('All documents were searched because the automatic metadata filter has no model or no metadata.');
		return undefined;
	}
	const instruction = `You find out which documents a question asks for. Metadata of documents: ${names.join(', ')}. Operators: ${filterOperators.join(', ')}. Reply with JSON alone: {"conditions": [{"name": "…", "comparison_operator": "…", "value": "…"}]}, with no condition for what the question does not say.`;
	try {
		const messages = [
			{ role: 'system' as const, content: instruction },
			{ role: 'user' as const, content: query },
		];
		const { text } = await askModel(
			services.models,
			{ model: model.name, messages, ...readCompletionParameters(model.completion_params) },
			signal,
		);
		const conditions = readConditions(findJsonInReply(text), names);
		if (conditions) {
			return { join: 'and', conditions };
		}
		notes.push('All documents were searched because the model chose no metadata to filter by.');
	} catch (error) {
		signal.throwIfAborted();
		notes.push(`All documents were searched because the metadata filter failed: ${(error as Error).message}`);
	}
	return undefined;
}

function readConditions(
	reply: Readonly<Record<string, unknown>> | undefined,
	names: readonly string[],
): MetadataFilter['conditions'] | undefined {
	const list: readonly unknown[] = Array.isArray(reply?.['conditions']) ? reply['conditions'] : [];
	const conditions = list.flatMap(each => {
		const { name, comparison_operator: operator, value = null } = isObjectValue(each) ? each : {};
		return typeof name === 'string' && names.includes(name) && typeof operator === 'string' && filterOperators.includes(operator)
			? [{ name, operator, value }]
			: [];
	});
	return conditions.length > 0 ? conditions : undefined;
}
