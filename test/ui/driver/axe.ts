import fs from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame } from 'playwright-core';

const source = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules whose result depends on colors. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/**
 * Returns axe's serious and critical findings in a webview, one per line. `background`: theme color of the surface under a transparent
 * page; `within`: selector of a part of the page. Names, roles and structure are the same in every theme, so they are checked in the dark
 * one only, and other themes for colors.
 */
export async function findAxeProblems(frame: Frame, background: string, within = 'html'): Promise<string[]> {
	if (!(await frame.evaluate(() => 'axe' in window))) {
		await frame.evaluate(source);
	}
	// axe can't see the color of the surface under the frame
	await frame.evaluate(color => {
		document.documentElement.style.background = `var(--vscode-${color})`;
	}, background);
	const violations = await frame.evaluate(
		async ([part, rules]) => {
			const { axe } = window as unknown as {
				axe: {
					run(
						part: string,
						options: object,
					): Promise<{ violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] }>;
				};
			};
			const isDark = document.body.dataset['vscodeThemeKind'] === 'vscode-dark';
			return (await axe.run(part, isDark ? {} : { runOnly: { type: 'rule', values: rules } })).violations;
		},
		[within, colorRules] as const,
	);
	return violations
		.filter(({ impact }) => impact === 'serious' || impact === 'critical')
		.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(node => `${node.html} ${node.failureSummary}`).join('; ')}`);
}
