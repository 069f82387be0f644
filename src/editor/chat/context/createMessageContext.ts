import type { DocumentTexts } from '../attachments/documentTexts.ts';
import type { ChatHostOptions } from '../chatHost.ts';
import { createFileKind, createFolderKind } from './fileKinds.ts';
import { MessageContext } from './messageContext.ts';
import { createAgentKind, createNodeKind, createSymbolKind } from './symbolKinds.ts';
import { createChangesKind, createProblemsKind, createRunKind, createTerminalKind } from './windowKinds.ts';

/** Creates the context that `@` offers, in the order of its list. */
export function createMessageContext(options: ChatHostOptions, documents: DocumentTexts): MessageContext {
	const { editors, runs, runStory, connections } = options;
	return new MessageContext([
		createProblemsKind(),
		createChangesKind(),
		createTerminalKind(),
		createFileKind(documents),
		createFolderKind(),
		createSymbolKind(editors),
		createAgentKind(),
		createNodeKind(),
		createRunKind(runs, runStory, connections),
	]);
}
