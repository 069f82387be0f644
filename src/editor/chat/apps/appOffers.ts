import type { AgentParameters } from '#contract/agents.ts';
import type { AppOffers } from '#pages/chat/panel/panelProtocol.ts';
import type { Connection } from '../../connections/connectionTypes.ts';

/** Returns the features that an app has turned on, or `undefined` for services other than Dify. */
export function getAppOffers(connection: Connection, model: string, parameters: AgentParameters | undefined): AppOffers | undefined {
	if (connection.kind !== 'dify') {
		return undefined;
	}
	const isFeatureOn = (name: string) => (parameters?.[name] as { enabled?: unknown } | null | undefined)?.enabled === true;
	return {
		connection: { id: connection.id, name: connection.name },
		model,
		suggests: isFeatureOn('suggested_questions_after_answer'),
		hears: isFeatureOn('speech_to_text'),
		speaks: isFeatureOn('text_to_speech'),
		annotates: isFeatureOn('annotation_reply'),
	};
}
