import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { findAxeProblems } from './axe.ts';
import { type Theme, themes } from './themes.ts';
import type { Workbench } from './workbench.ts';

/**
 * Asserts that axe has no serious finding for a page in any kind of theme, and saves NAME-THEME.png of each; ends in the dark theme.
 * @param background theme color of the surface under the page
 * @param shown returns the page, which can be another frame after it was hidden
 */
export async function expectNoSeriousFindings(
	workbench: Workbench,
	name: string,
	shown: () => Promise<Frame>,
	background: string,
): Promise<void> {
	for (const theme of Object.keys(themes) as Theme[]) {
		await workbench.useTheme(theme);
		const frame = await shown();
		await frame.locator(`body[data-vscode-theme-kind="${themes[theme].webviewKind}"]`).waitFor();
		await workbench.takeScreenshot(`${name}-${theme}`);
		assert.deepEqual(await findAxeProblems(frame, background), [], theme);
	}
	await workbench.useTheme('dark');
}
