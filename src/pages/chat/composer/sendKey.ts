import type { PanelPreferences } from '../panel/panelProtocol.ts';

/** True if Enter with these modifiers sends the message. Used by all text boxes of the chat. */
export function isSendKey({ shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent, sendOn: PanelPreferences['sendOn']): boolean {
	return !shiftKey && !altKey && (ctrlKey || metaKey || sendOn === 'enter');
}
