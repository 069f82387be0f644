import * as vscode from 'vscode';
import { copyNodes } from '#agentFile/edits/copying.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import type { AgentReading } from '#agentFile/reading/agentReading.ts';
import type { FromGraph } from '#pages/graph/picture/graphProtocol.ts';

/** Copies nodes to the system clipboard. Throws if they can't be copied. */
export async function copyToClipboard(file: AgentReading, nodes: readonly string[]): Promise<void> {
	await vscode.env.clipboard.writeText(copyNodes(file, nodes, vscode.l10n.t));
}

/** Returns the operation that pastes the nodes in the clipboard. */
export async function createPasteOperation({
	at,
	parent,
}: Extract<FromGraph, { type: 'paste' }>): Promise<Extract<GraphOperation, { do: 'paste' }>> {
	const text = await vscode.env.clipboard.readText();
	return { do: 'paste', text, ...(at ? { at } : {}), ...(parent === undefined ? {} : { parent }) };
}
