import { definePlugin, HttpRoutes } from 'fw';
import posts from './routes/posts.js';

export default definePlugin({
  id: 'app',
  category: 'app',
  description: 'The route that is measured.',
  needs: ['http', 'orm'],
  register({ contribute }) {
    contribute(HttpRoutes, () => posts);
  },
});
