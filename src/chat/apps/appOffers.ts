import type { Connection } from '../../connections/connectionTypes.ts';
import type { AgentParameters } from '../../protocol/agents.ts';

/** What can be done around the messages of an app of Dify, as it is set there. It holds for replies of this connection and agent. */
export interface AppOffers {
	readonly connection: string;
	readonly model: string;
	/** Offers questions after a reply. */
	readonly suggests: boolean;
	/** Takes what is said in audio files. */
	readonly hears: boolean;
	/** Reads replies aloud. */
	readonly speaks: boolean;
	/** Answers with annotations. */
	readonly annotates: boolean;
}

/** What an app offers; `undefined` for services of other kinds. */
export function appOffers(connection: Connection, model: string, parameters: AgentParameters | undefined): AppOffers | undefined {
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
