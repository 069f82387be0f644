import type { PanelPreferences } from '../panel/panelProtocol.ts';

/** Whether Enter, pressed with what is held with it, sends: the same in every box of the chat. */
export function sendsOn({ shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent, sendOn: PanelPreferences['sendOn']): boolean {
	return !shiftKey && !altKey && (ctrlKey || metaKey || sendOn === 'enter');
}
