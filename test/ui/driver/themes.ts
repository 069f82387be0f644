import type { Page } from 'playwright-core';

/**
 * Each kind of theme: the key of the driver’s extension for it, the window’s class, and what a webview’s body has as data-vscode-theme-kind. First that
 * in which windows begin, so that a test in all of them changes it four times.
 */
export const themes = {
	dark: { key: 'F6', windowKind: 'vs-dark', webviewKind: 'vscode-dark' },
	light: { key: 'F5', windowKind: 'vs', webviewKind: 'vscode-light' },
	'high-contrast': { key: 'F7', windowKind: 'hc-black', webviewKind: 'vscode-high-contrast' },
	'high-contrast-light': { key: 'F8', windowKind: 'hc-light', webviewKind: 'vscode-high-contrast-light' },
} as const;

export type Theme = keyof typeof themes;

/** Changes the colour theme by one key, as a user's settings do; webviews follow at once. The focus stays where it is. */
export async function useTheme(page: Page, theme: Theme): Promise<void> {
	const { key, windowKind } = themes[theme];
	const window = page.locator(`.monaco-workbench.${windowKind}`);
	if (!(await window.isVisible())) {
		await page.keyboard.press(`Control+Alt+Shift+${key}`);
		await window.waitFor();
	}
}
