import type { Localization } from '#base/text/localization.ts';
import type { EndpointKind, EndpointSettings, Turn } from '#pages/chat/transcript/transcript.ts';
import { declareTools, readDeclaredNames, supportsTools } from '../endpoints/toolDeclarations.ts';
import type { ChosenTools } from '../tools/chatTool.ts';
import { createToolOffer, listDeclaredTools } from '../tools/toolOffer.ts';
import type { Chat } from '../transcripts/chat.ts';
import { ToolRounds } from './toolRounds.ts';

/** Request settings that declare a chat's tools, and the runner of these tools. */
interface DeclaredTools {
	readonly settings: EndpointSettings;
	readonly rounds: ToolRounds;
}

/** Declares the chosen tools of a chat for one of its replies. Returns undefined if there are none, or if the endpoint lacks tools. */
export async function declareChatTools(
	chat: Chat,
	turn: Turn,
	endpoint: EndpointKind,
	{ tools: own }: EndpointSettings,
	resolveTools: ChosenTools,
	words: Localization,
): Promise<DeclaredTools | undefined> {
	const { tools } = chat.transcript;
	const usable = supportsTools(endpoint) && tools.length > 0 ? await resolveTools(tools) : [];
	if (!supportsTools(endpoint) || usable.length === 0) {
		return undefined;
	}
	const declared = readDeclaredNames(own);
	const offer = createToolOffer(usable, declared);
	return {
		settings: { tools: [...(Array.isArray(own) ? own : []), ...declareTools(endpoint, listDeclaredTools(offer))] },
		rounds: new ToolRounds(chat, turn, offer, declared, words),
	};
}
