import type { AgentParameters } from '#contract/agents.ts';
import type { AppOffers } from '#pages/chat/panel/panelProtocol.ts';
import type { Connection } from '../../connections/connectionTypes.ts';

/** Returns the features that an app has turned on, or `undefined` for services other than Dify. */
export function getAppOffers(connection: Connection, model: string, parameters: AgentParameters | undefined): AppOffers | undefined {
	if (connection.kind !== 'dify') {
		return undefined;
	}
	const isOn = (name: string) => (parameters?.[name] as { enabled?: unknown } | null | undefined)?.enabled === true;
	return {
		connection: connection.name,
		model,
		suggests: isOn('suggested_questions_after_answer'),
		hears: isOn('speech_to_text'),
		speaks: isOn('text_to_speech'),
		annotates: isOn('annotation_reply'),
	};
}
