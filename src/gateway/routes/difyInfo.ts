import type { AppMode } from '#agentFile/appModes.ts';
import { getField } from '#base/records/plainValues.ts';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import type { StartVariable } from '#engine/agentFile/agentTypes.ts';
import { isCitingSources } from '#engine/knowledge/citations.ts';
import type { AgentRegistry } from '../agents/agentRegistry.ts';
import { toAgentVariable } from '../agents/agentSummary.ts';
import { createRoute, type Route } from '../server/route.ts';
import { sizeLimits } from '../uploads/fileKinds.ts';

/**
 * Routes for the information that Dify's clients read before they use an app: its input form and its name (wire facts 1.7, not in the
 * contract).
 */
export function createDifyInfoRoutes(agents: AgentRegistry): readonly Route[] {
	return [
		createRoute(endpoints.agentParameters, async exchange => {
			const { agent } = await agents.getDescribedVersion(exchange.readQuery(endpoints.agentParameters.query).model);
			const { features } = agent;
			exchange.sendJson(200, {
				opening_statement: toText(features['opening_statement']),
				suggested_questions: features['suggested_questions'] ?? [],
				suggested_questions_after_answer: { enabled: false },
				speech_to_text: { enabled: false },
				text_to_speech: { enabled: false },
				retriever_resource: { enabled: isCitingSources(agent) },
				annotation_reply: { enabled: false },
				more_like_this: { enabled: false },
				sensitive_word_avoidance: { enabled: hasKeywordModeration(features['sensitive_word_avoidance'], agent.mode) },
				file_upload: features['file_upload'] ?? { enabled: false },
				user_input_form: agent.variables.map(toFormField),
				system_parameters: {
					file_size_limit: toMegabytes(sizeLimits.document),
					image_file_size_limit: toMegabytes(sizeLimits.image),
					audio_file_size_limit: toMegabytes(sizeLimits.audio),
					video_file_size_limit: toMegabytes(sizeLimits.video),
				},
			});
		}),
		createRoute(endpoints.agentInfo, async exchange => {
			const { row, agent } = await agents.getDescribedVersion(exchange.readQuery(endpoints.agentInfo.query).model);
			exchange.sendJson(200, {
				name: agent.appName || row.name,
				description: agent.description,
				tags: [],
				mode: agent.mode,
				author_name: null,
			});
		}),
		createRoute(endpoints.agentMeta, exchange => exchange.sendJson(200, { tool_icons: {} })),
	];
}

/** Converts a start variable to Dify's format: `{TYPE: {…}}`. */
function toFormField(declared: StartVariable): Record<string, unknown> {
	const { type, ...variable } = toAgentVariable(declared);
	return { [type]: variable };
}

/** True if answers are checked for keywords. No other check is supported here, and workflows check nothing. */
function hasKeywordModeration(rules: unknown, mode: AppMode): boolean {
	return mode !== 'workflow' && getField(rules, 'enabled') === true && getField(rules, 'type') === 'keywords';
}

function toMegabytes(bytes: number): number {
	return bytes / (1024 * 1024);
}

function toText(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
