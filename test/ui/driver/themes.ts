import type { Page } from 'playwright-core';
import type { QuickInput } from './quickInput.ts';

/** Each kind of theme: the name in VS Code's list, and what a webview's body has as data-vscode-theme-kind. */
export const themes = {
	light: { label: 'Light Modern', webviewKind: 'vscode-light' },
	dark: { label: 'Dark Modern', webviewKind: 'vscode-dark' },
	'high-contrast': { label: 'Dark High Contrast', webviewKind: 'vscode-high-contrast' },
	'high-contrast-light': { label: 'Light High Contrast', webviewKind: 'vscode-high-contrast-light' },
} as const;

export type Theme = keyof typeof themes;

/** Changes the colour theme as a user does; webviews follow at once. (A settings file that is changed from outside is not seen reliably.) */
export async function useTheme(page: Page, quickInput: QuickInput, theme: Theme): Promise<void> {
	const { label } = themes[theme];
	await quickInput.runCommand('Preferences: Color Theme');
	await quickInput.box.fill(label);
	await quickInput.widget.locator('.monaco-list-row.focused .label-name', { hasText: label }).waitFor();
	await page.keyboard.press('Enter');
	await quickInput.widget.waitFor({ state: 'hidden' });
	const kind = { light: 'vs', dark: 'vs-dark', 'high-contrast': 'hc-black', 'high-contrast-light': 'hc-light' }[theme];
	await page.locator(`.monaco-workbench.${kind}`).waitFor();
}
