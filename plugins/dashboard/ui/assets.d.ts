// esbuild turns the imported style sheets into app.css.
declare module '*.css';
