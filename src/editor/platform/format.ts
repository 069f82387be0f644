import * as vscode from 'vscode';
import { createFormatter } from '#base/text/formatter.ts';

/** Numbers and moments in the editor's language. */
export const { formatNumber, formatDate, formatTime, formatDateTime } = createFormatter(() => vscode.env.language);
